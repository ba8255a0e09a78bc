package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiClient;
import dev.eremite.dap.mi.MiException;
import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.mi.MiVariable;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import dev.eremite.dap.session.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.debug.Variable;
import org.eclipse.lsp4j.debug.VariablesArguments;

/** Variable objects as the client sees them, and what is in them. */
public final class Children {
    /** As many children of a kind whose number is not known are shown at once. */
    private static final int MOST_UNCOUNTED = 1000;

    private static final int LONGEST_SUMMARY = 120;

    /** Arrays of more elements are shown in slices. */
    private static final int LARGE = 1000;

    private static final Set<String> ACCESS = Set.of("public", "protected", "private");
    private static final Pattern LENGTH = Pattern.compile("(?:of length |with |size=|\\(len: )(\\d+)");
    private static final Pattern ARRAY = Pattern.compile(".*\\[\\d*\\]");
    private static final Pattern POINTER = Pattern.compile("\\(?.*?\\)? ?(0x[0-9a-f]+)\\b.*", Pattern.DOTALL);
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][\\w$]*");

    private final Session session;
    private final Variables variables;

    /** The variables of a session. */
    public Children(Session session, Variables variables) {
        this.session = session;
        this.variables = variables;
    }

    /**
     * A variable for the client.
     *
     * @param expression what can be evaluated to get it; empty where there is no such thing
     * @param place the frame that the expression is of; null for none
     */
    Variable show(MiVariable made, String name, String expression, Frames.Place place) {
        Variable shown = new Variable();
        shown.setName(name);
        shown.setValue(made.value());
        shown.setType(made.type());
        if (!expression.isEmpty()) {
            shown.setEvaluateName(expression);
        }
        if (made.hasChildren()) {
            shown.setVariablesReference(variables.add(new Variables.Opened(made, expression, place)));
            int count = indexed(made);
            if (count >= 0) {
                shown.setIndexedVariables(count);
            }
        }
        if (made.type().endsWith("*")) {
            Matcher pointer = POINTER.matcher(made.value());
            if (pointer.matches()) {
                shown.setMemoryReference(pointer.group(1));
            }
        }
        return shown;
    }

    /** GDB leaves the values of structures to their members; shows them in short, asking for all before the first answer. */
    void summarize(List<Variable> shown, Frames.Place place) {
        String options = place == null ? " " : place.options();
        List<CompletableFuture<MiValue>> answers = new ArrayList<>();
        List<Variable> asked = new ArrayList<>();
        for (Variable each : shown) {
            if (each.getValue().equals("{...}") && each.getEvaluateName() != null) {
                asked.add(each);
                answers.add(session.mi()
                        .send("-data-evaluate-expression" + options + MiClient.quoted(each.getEvaluateName())));
            }
        }
        for (int i = 0; i < asked.size(); i++) {
            try {
                String text = MiClient.await(answers.get(i)).text("value").replaceAll("\\s+", " ");
                boolean fits = text.length() <= LONGEST_SUMMARY;
                asked.get(i).setValue(fits ? text : text.substring(0, LONGEST_SUMMARY) + "…");
                count(asked.get(i), text);
            } catch (MiException e) {
                // Its members tell what can be told.
                asked.get(i).setValue("{…}");
            }
        }
    }

    /** A printer's text tells how many elements there are. */
    private void count(Variable shown, String text) {
        int reference = shown.getVariablesReference();
        if (reference > 0 && variables.get(reference) instanceof Variables.Opened opened) {
            MiVariable valued = opened.variable().valued(text);
            variables.replace(reference, new Variables.Opened(valued, opened.expression(), opened.place()));
            if (indexed(valued) >= 0) {
                shown.setIndexedVariables(indexed(valued));
            }
        }
    }

    /** How many elements a sequence has; −1 where it is none, or does not say. */
    static int indexed(MiVariable made) {
        if (!made.dynamic()) {
            return ARRAY.matcher(made.type()).matches() ? made.children() : -1;
        }
        if (!made.hint().equals("array")) {
            return -1;
        }
        Matcher length = LENGTH.matcher(made.value());
        return length.find() && length.group(1).length() < 10 ? Integer.parseInt(length.group(1)) : -1;
    }

    /** What is in a variable, or a part of it. */
    List<Variable> list(int reference, Variables.Opened opened, VariablesArguments arguments) {
        MiVariable parent = opened.variable();
        int count = indexed(parent);
        int start = arguments.getStart() == null ? 0 : Math.max(0, arguments.getStart());
        int wanted = arguments.getCount() == null ? 0 : Math.max(0, arguments.getCount());
        int most = count >= 0 ? count : parent.dynamic() ? start + MOST_UNCOUNTED : parent.children();
        int end = wanted == 0 ? most : (int) Math.min(most, (long) start + wanted);
        if (end <= start) {
            return List.of();
        }
        List<Variable> shown = new ArrayList<>();
        boolean slice =
                !parent.dynamic() && count > LARGE && !opened.expression().isEmpty();
        if (!slice || !addSlice(new Target(reference, shown), opened, start, end)) {
            add(new Target(reference, shown), opened, start + " " + end);
        }
        summarize(shown, opened.place());
        return shown;
    }

    /** Where variables are shown. */
    private record Target(int reference, List<Variable> shown) {}

    /** A part of an array as an array of its own: GDB would make a variable object of each element before it. */
    private boolean addSlice(Target target, Variables.Opened opened, int start, int end) {
        String array = "(" + opened.expression() + ")";
        List<MiValue> made;
        try {
            MiVariable part = variables.create(opened.place(), array + "[" + start + "]@" + (end - start));
            made = session.mi()
                    .command("-var-list-children --all-values " + part.name())
                    .list("children");
        } catch (MiException e) {
            // Not in memory, or in a language without such slices.
            return false;
        }
        for (int i = 0; i < made.size(); i++) {
            String index = "[" + (start + i) + "]";
            add(target, MiVariable.of(made.get(i)), index, array + index, opened.place());
        }
        return true;
    }

    private void add(Target target, Variables.Opened opened, String range) {
        MiVariable parent = opened.variable();
        MiValue answer = session.mi().command("-var-list-children --all-values " + parent.name() + " " + range);
        List<MiVariable> made =
                answer.list("children").stream().map(MiVariable::of).toList();
        if (parent.hint().equals("map")) {
            addPairs(target, made, opened.place());
            return;
        }
        for (MiVariable child : made) {
            if (!parent.dynamic()
                    && ACCESS.contains(child.expression())
                    && child.type().isEmpty()) {
                // GDB puts the members of classes below their access.
                add(target, new Variables.Opened(child, opened.expression(), opened.place()), "");
            } else {
                add(target, child, name(parent, child), path(parent, child, opened.expression()), opened.place());
            }
        }
    }

    private void add(Target target, MiVariable child, String name, String expression, Frames.Place place) {
        target.shown.add(show(child, name, expression, place));
        variables.note(target.reference, name, new Variables.Known(child, expression, place));
    }

    /** A map's printer gives keys and values in turn. */
    private void addPairs(Target target, List<MiVariable> made, Frames.Place place) {
        for (int i = 0; i + 1 < made.size(); i += 2) {
            add(target, made.get(i + 1), "[" + made.get(i).value() + "]", "", place);
        }
    }

    private static String name(MiVariable parent, MiVariable child) {
        boolean element = !parent.dynamic() && ARRAY.matcher(parent.type()).matches();
        return element ? "[" + child.expression() + "]" : child.expression();
    }

    /** An expression for the child; GDB has none for what a printer makes up. */
    private String path(MiVariable parent, MiVariable child, String expression) {
        if (parent.dynamic() || expression.isEmpty()) {
            return "";
        }
        if (ARRAY.matcher(parent.type()).matches()) {
            return "(" + expression + ")[" + child.expression() + "]";
        }
        String simple = child.expression();
        if (IDENTIFIER.matcher(simple).matches()) {
            boolean pointer = parent.type().endsWith("*");
            String base = IDENTIFIER.matcher(expression).matches() ? expression : "(" + expression + ")";
            return base + (pointer ? "->" : ".") + simple;
        }
        try {
            return session.mi()
                    .command("-var-info-path-expression " + child.name())
                    .text("path_expr");
        } catch (MiException e) {
            return "";
        }
    }
}
