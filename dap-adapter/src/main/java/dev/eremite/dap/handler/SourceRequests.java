package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestFailure;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.lsp4j.debug.BreakpointLocation;
import org.eclipse.lsp4j.debug.BreakpointLocationsArguments;
import org.eclipse.lsp4j.debug.BreakpointLocationsResponse;
import org.eclipse.lsp4j.debug.LoadedSourcesArguments;
import org.eclipse.lsp4j.debug.LoadedSourcesResponse;
import org.eclipse.lsp4j.debug.Module;
import org.eclipse.lsp4j.debug.ModulesArguments;
import org.eclipse.lsp4j.debug.ModulesResponse;
import org.eclipse.lsp4j.debug.Source;
import org.eclipse.lsp4j.debug.SourceArguments;
import org.eclipse.lsp4j.debug.SourceResponse;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/** Sources, the lines that have code, and the files that the program consists of. */
public final class SourceRequests {
    private final Session session;

    /** Requests of a session. */
    public SourceRequests(Session session) {
        this.session = session;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("source", SourceArguments.class, Lane.VIEW, this::source)
                .on("loadedSources", LoadedSourcesArguments.class, Lane.VIEW, this::loadedSources)
                .on("modules", ModulesArguments.class, Lane.VIEW, this::modules)
                .on("breakpointLocations", BreakpointLocationsArguments.class, Lane.VIEW, this::breakpointLocations);
    }

    private Object source(SourceArguments arguments, Call call) {
        String path =
                arguments.getSource() == null ? null : arguments.getSource().getPath();
        if (path == null || path.isEmpty()) {
            throw new RequestFailure("the source has no path");
        }
        SourceResponse response = new SourceResponse();
        try {
            response.setContent(new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8));
        } catch (IOException | InvalidPathException e) {
            throw new RequestFailure(
                    path + " was not found here; sourceMap in the launch configuration can tell where it is", e);
        }
        return response;
    }

    private Object loadedSources(LoadedSourcesArguments arguments, Call call) {
        TreeMap<String, Source> sources = new TreeMap<>();
        for (MiValue file :
                session.stoppedMi().command("-file-list-exec-source-files").list("files")) {
            String path = file.text("fullname");
            if (!path.isEmpty()) {
                sources.put(path, StackRequests.source(path));
            }
        }
        LoadedSourcesResponse response = new LoadedSourcesResponse();
        response.setSources(sources.values().toArray(Source[]::new));
        return response;
    }

    private Object modules(ModulesArguments arguments, Call call) {
        List<Module> modules = new ArrayList<>();
        MiClient mi = session.stoppedMi();
        if (session.hasReplay()) {
            modules.add(module(session.replay().executable(), "", true));
        }
        for (MiValue library : mi.command("-file-list-shared-libraries").list("shared-libraries")) {
            List<MiValue> ranges = library.list("ranges");
            String range = ranges.isEmpty()
                    ? ""
                    : ranges.getFirst().text("from") + "-" + ranges.getFirst().text("to");
            modules.add(module(library.text("target-name"), range, library.number("symbols-loaded", 0) == 1));
        }
        int first = arguments.getStartModule() == null ? 0 : Math.clamp(arguments.getStartModule(), 0, modules.size());
        int count = arguments.getModuleCount() == null || arguments.getModuleCount() <= 0
                ? modules.size()
                : arguments.getModuleCount();
        List<Module> shown = modules.subList(first, (int) Math.min(modules.size(), (long) first + count));
        ModulesResponse response = new ModulesResponse();
        response.setModules(shown.toArray(Module[]::new));
        response.setTotalModules(modules.size());
        return response;
    }

    private static Module module(String path, String range, boolean symbols) {
        Module module = new Module();
        module.setId(Either.forRight(path));
        module.setName(path.substring(path.lastIndexOf('/') + 1));
        module.setPath(path);
        module.setSymbolStatus(symbols ? "Symbols loaded" : "No symbols");
        if (!range.isEmpty()) {
            module.setAddressRange(range);
        }
        return module;
    }

    private Object breakpointLocations(BreakpointLocationsArguments arguments, Call call) {
        session.mi();
        String path =
                arguments.getSource() == null ? null : arguments.getSource().getPath();
        int first = session.fromClientLine(arguments.getLine());
        int last = arguments.getEndLine() == null ? first : session.fromClientLine(arguments.getEndLine());
        List<BreakpointLocation> locations = new ArrayList<>();
        for (int line : lines(session, path).subSet(first, true, Math.max(first, last), true)) {
            BreakpointLocation location = new BreakpointLocation();
            location.setLine(session.toClientLine(line));
            locations.add(location);
        }
        BreakpointLocationsResponse response = new BreakpointLocationsResponse();
        response.setBreakpoints(locations.toArray(BreakpointLocation[]::new));
        return response;
    }

    /** The lines of a source that have code; none where GDB does not know the source. */
    static TreeSet<Integer> lines(Session session, String path) {
        TreeSet<Integer> lines = new TreeSet<>();
        if (path == null || path.isEmpty()) {
            throw new RequestFailure("the source has no path");
        }
        try {
            for (MiValue each : session.mi()
                    .command("-symbol-list-lines " + MiClient.quoted(path))
                    .list("lines")) {
                int line = (int) each.number("line", 0);
                if (line > 0) {
                    lines.add(line);
                }
            }
        } catch (MiException e) {
            lines.clear();
        }
        return lines;
    }
}
