"""Numbers as JSON Schema means them: decimal, not binary."""

from decimal import Decimal, localcontext


def is_multiple(value: float, step: float) -> bool:
    """`value` is a whole multiple of `step`, both taken as the decimal numbers they are written as."""
    with localcontext() as context:
        context.prec = 1000
        try:
            return Decimal(str(value)) % Decimal(str(step)) == 0
        except ArithmeticError:
            return False
