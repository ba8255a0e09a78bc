package dev.eremite.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Declares verbs, options and parameters to picocli in code. Its annotations say the same, but reading them takes each
 * start 60 ms of processor time, since the JVM makes a class of each annotation type that it meets.
 */
final class Syntax {
    private Syntax() {}

    /** A command that calls the object, which is a Runnable or a Callable. */
    static CommandSpec command(Object command, String name, String... description) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name(name);
        spec.usageMessage().description(description);
        return spec;
    }

    /** Adds an option that takes no value. */
    static Setting<Boolean> flag(CommandSpec spec, String description, String... names) {
        OptionSpec option = flag(description, names);
        spec.addOption(option);
        return new Setting<>(option, false);
    }

    /** An option that takes no value, in no command yet. */
    static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names)
                .type(boolean.class)
                .description(description)
                .build();
    }

    /** Adds an option that takes a value; null is what it gives where it is absent. */
    static <T> Setting<T> option(CommandSpec spec, Class<T> type, String label, String description, String... names) {
        OptionSpec option = OptionSpec.builder(names)
                .type(type)
                .paramLabel(label)
                .description(description)
                .build();
        spec.addOption(option);
        return new Setting<>(option, null);
    }

    /** Adds an option that can be repeated. */
    static Setting<List<String>> options(CommandSpec spec, String label, String description, String... names) {
        OptionSpec option = OptionSpec.builder(names)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(description)
                .build();
        spec.addOption(option);
        return new Setting<>(option, List.of());
    }

    /** Adds a parameter that may be left out. */
    static Setting<String> parameter(CommandSpec spec, String label, String whenAbsent, String description) {
        PositionalParamSpec parameter = PositionalParamSpec.builder()
                .arity("0..1")
                .type(String.class)
                .paramLabel(label)
                .defaultValue(whenAbsent)
                .description(description)
                .build();
        spec.addPositional(parameter);
        return new Setting<>(parameter, whenAbsent);
    }

    /** Adds a list of parameters; its arity is in picocli's notation. */
    static Setting<List<String>> parameters(
            CommandSpec spec, String arity, String label, boolean hideBrackets, String description) {
        PositionalParamSpec parameters = PositionalParamSpec.builder()
                .arity(arity)
                .required(!arity.startsWith("0"))
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .hideParamSyntax(hideBrackets)
                .description(description)
                .build();
        spec.addPositional(parameters);
        return new Setting<>(parameters, List.of());
    }
}
