"""Breakpoints that print and never stop, in both directions. Run inside gdb."""
import gdb


class EremiteLogPoint(gdb.Breakpoint):
    """Prints a message; `parts` are texts and, as tuples of one, expressions."""

    def __init__(self, place, parts, condition):
        super().__init__(**place)
        self.parts = parts
        self.test = condition

    def stop(self):
        try:
            if self.test and not gdb.parse_and_eval(self.test):
                return False
        except gdb.error as e:
            gdb.write("eremite-log: condition: %s\n" % e)
            return False
        gdb.write("eremite-log: %s\n" % "".join(self.text(part) for part in self.parts))
        return False

    @staticmethod
    def text(part):
        if isinstance(part, str):
            return part
        try:
            return gdb.parse_and_eval(part[0]).format_string()
        except gdb.error as e:
            return "<%s>" % e
