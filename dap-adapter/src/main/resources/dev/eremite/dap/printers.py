"""Pretty printers of this machine's compilers for programs whose files come out of a recording: gdb loads such scripts for
local files alone. Run inside gdb; `folders` are those that may hold printers."""
import os
import sys

import gdb


def eremite_printers(folders):
    known = [str(getattr(each, "name", each)) for each in gdb.pretty_printers]
    known += [str(getattr(each, "name", each)) for file in gdb.objfiles() for each in file.pretty_printers]
    for folder in folders:
        try:
            if os.path.isdir(os.path.join(folder, "libstdcxx")) and not any("libstdc++" in name for name in known):
                sys.path.append(folder)
                from libstdcxx.v6.printers import register_libstdcxx_printers

                register_libstdcxx_printers(None)
                known.append("libstdc++")
            if os.path.isfile(os.path.join(folder, "gdb_lookup.py")) and not any("gdb_lookup" in name for name in known):
                sys.path.append(folder)
                import gdb_lookup

                gdb_lookup.register_printers(gdb)
                known.append("gdb_lookup")
        except Exception as e:
            gdb.write("eremite: no pretty printers from %s: %s\n" % (folder, e))


def eremite_globals():
    """Prints the names of the variables that the selected frame's source file defines outside of functions."""
    symtab = gdb.selected_frame().find_sal().symtab
    if symtab is None:
        return
    gone = (gdb.SYMBOL_LOC_UNRESOLVED, gdb.SYMBOL_LOC_OPTIMIZED_OUT)
    names = []
    for block in (symtab.global_block(), symtab.static_block()):
        for symbol in block:
            here = symbol.is_variable and symbol.symtab is not None and symbol.symtab.fullname() == symtab.fullname()
            if here and symbol.addr_class not in gone and symbol.name not in names:
                names.append(symbol.name)
    gdb.write("".join(name + "\n" for name in names))
