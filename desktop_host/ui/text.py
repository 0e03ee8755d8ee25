"""Words in the person's language."""

import html

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTranslator

from desktop_host.config.paths import resources_dir
from desktop_host.terms.messages import Message
from desktop_host.ui.messages import CONTEXT, TEXTS, fill
from desktop_host.ui.visible import visible


def tr(text: str) -> str:
    """A text of the windows in the person's language."""
    return QCoreApplication.translate("", text)


def words(message: Message) -> str:
    """A sentence from below the windows in the person's language."""
    text = TEXTS.get(message.key)
    return fill(QCoreApplication.translate(CONTEXT, text), message) if text is not None else message.key


def rich(text: str) -> str:
    """Our own paragraph with room between its lines; the text is escaped and made visible."""
    return f'<p style="line-height:130%; white-space:pre-wrap">{html.escape(visible(text))}</p>'


def install_language(app: QCoreApplication, language: str) -> list[QTranslator]:
    """Install the translators for `language` ("system", "en", "zh_CN"); keep what is returned."""
    wanted = QLocale.system() if language == "system" else QLocale(language)
    if wanted.language() != QLocale.Language.Chinese:
        return []
    QLocale.setDefault(wanted)
    installed: list[QTranslator] = []
    for name in ("desktop_host_zh_CN", "qtbase_zh_CN"):
        translator = QTranslator(app)
        if translator.load(str(_translation(name))):
            app.installTranslator(translator)
            installed.append(translator)
    return installed


def is_chinese() -> bool:
    """The windows speak Chinese."""
    return QLocale().language() == QLocale.Language.Chinese


def ago(seconds: float) -> str:
    """A short age: "4 s", "3 min", "2 h", "5 d"."""
    if seconds < 60:
        return tr("{n} s").format(n=int(seconds))
    if seconds < 3600:
        return tr("{n} min").format(n=int(seconds // 60))
    if seconds < 86_400:
        return tr("{n} h").format(n=int(seconds // 3600))
    return tr("{n} d").format(n=int(seconds // 86_400))


def since(moment: float) -> str:
    """When something was, for a sentence: the time alone for today, the date with it for other days."""
    then, locale = QDateTime.fromSecsSinceEpoch(int(moment)), QLocale()
    if then.date() == QDate.currentDate():
        return tr("today at {time}").format(time=locale.toString(then.time(), QLocale.FormatType.ShortFormat))
    return tr("on {date}").format(date=locale.toString(then, QLocale.FormatType.ShortFormat))


def _translation(name: str) -> object:
    from PySide6.QtCore import QLibraryInfo

    own = resources_dir() / "translations" / f"{name}.qm"
    return own if own.exists() else f"{QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)}/{name}.qm"
