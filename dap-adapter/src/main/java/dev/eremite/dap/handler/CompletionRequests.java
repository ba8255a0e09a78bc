package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.protocol.Call;
import dev.eremite.dap.protocol.RequestTable;
import dev.eremite.dap.protocol.RequestTable.Lane;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.debug.CompletionItem;
import org.eclipse.lsp4j.debug.CompletionsArguments;
import org.eclipse.lsp4j.debug.CompletionsResponse;

/** What could be meant by the beginning of a line in the console: GDB's commands and the program's names. */
public final class CompletionRequests {
    private static final int MOST = 200;
    private static final String PRINT = "print ";

    private final Session session;

    /** Requests of a session. */
    public CompletionRequests(Session session) {
        this.session = session;
    }

    /** Adds them to a table. */
    public void addTo(RequestTable table) {
        table.on("completions", CompletionsArguments.class, Lane.VIEW, this::completions);
    }

    private Object completions(CompletionsArguments arguments, Call call) {
        String text = arguments.getText();
        int length = Math.clamp(session.fromClientColumn(arguments.getColumn()) - 1L, 0, text.length());
        String typed = text.substring(0, length);
        // The last word is what the client replaces.
        int word = Math.max(typed.lastIndexOf(' '), -1) + 1;
        List<CompletionItem> items = new ArrayList<>();
        if (!typed.isBlank()) {
            String before = "";
            List<MiValue> matches = matches(typed);
            if (matches.isEmpty() && word == 0) {
                // No command: a variable, which the console shows by its name alone.
                before = PRINT;
                matches = matches(PRINT + typed);
            }
            for (MiValue match : matches) {
                int begin = before.length() + word;
                if (items.size() < MOST && match instanceof MiValue.Text(String whole) && whole.length() > begin) {
                    CompletionItem item = new CompletionItem();
                    item.setLabel(whole.substring(begin));
                    item.setStart(word);
                    item.setLength(length - word);
                    items.add(item);
                }
            }
        }
        CompletionsResponse response = new CompletionsResponse();
        response.setTargets(items.toArray(CompletionItem[]::new));
        return response;
    }

    private List<MiValue> matches(String typed) {
        return session.stoppedMi()
                .command("-complete " + MiClient.quoted(typed))
                .list("matches");
    }
}
