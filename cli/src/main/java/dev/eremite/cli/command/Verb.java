package dev.eremite.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** A verb of the command line; calling it does its work and returns the exit status. */
public interface Verb extends Callable<Integer> {
    /** Its options and parameters, where their values are after parsing. */
    CommandSpec spec();
}
