"""The third choice beside yes and no: a rule that decides such asks from now on."""

from PySide6.QtWidgets import QPushButton, QWidget

from desktop_host.policy.facts import Facts, facts_of
from desktop_host.policy.narrowest import narrowest
from desktop_host.terms.asks import Decision
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.dialog import RuleDialog
from desktop_host.ui.text import tr


class AllowButton(QPushButton):
    """Proposes the narrowest rule for an ask. The person still decides on this ask: the rule is for the next ones."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(tr("Allow this from now on…"), parent)
        self.setAutoDefault(False)
        self._bridge = bridge
        self._facts: Facts | None = None
        self.clicked.connect(self._propose)
        self.hide()

    def offer(self, decision: Decision) -> None:
        """It is about the ask of this decision."""
        self._facts = facts_of(decision.facts)
        self.setVisible(self._facts is not None and bool(self._facts.server.fingerprint))

    def _propose(self) -> None:
        if self._facts is None:
            return
        title = tr("Allow this from now on")
        servers = (self._facts.server,)
        dialog = RuleDialog(
            self._bridge, narrowest(self._facts), self.window(), title=title, servers=servers, asked=True
        )
        dialog.saved.connect(self._saved)
        dialog.open()

    def _saved(self) -> None:
        self.setText(tr("The rule is kept"))
        self.setEnabled(False)
