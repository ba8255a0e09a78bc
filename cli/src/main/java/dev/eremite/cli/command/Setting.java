package dev.eremite.cli.command;

import picocli.CommandLine.Model.ArgSpec;

/** What the command line gives for an option or a parameter. */
final class Setting<T> {
    private final ArgSpec argument;
    private final T absent;

    /** The setting of that argument, and what it is where the command line does not have it. */
    Setting(ArgSpec argument, T absent) {
        this.argument = argument;
        this.absent = absent;
    }

    /** The value; known once the command line is parsed. */
    T get() {
        T value = argument.getValue();
        return value == null ? absent : value;
    }
}
