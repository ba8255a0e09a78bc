package dev.eremite.dap.handler;

import dev.eremite.dap.mi.MiValue;
import dev.eremite.dap.session.Frames;
import dev.eremite.dap.session.Session;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.debug.Variable;
import org.eclipse.lsp4j.debug.VariablePresentationHint;

/** The registers of a frame. */
final class Registers {
    private Registers() {}

    static List<Variable> list(Session session, Frames.Place place) {
        List<MiValue> names = session.mi().command("-data-list-register-names").list("register-names");
        List<Variable> shown = new ArrayList<>();
        for (MiValue each : session.mi()
                .command("-data-list-register-values" + place.options() + "--skip-unavailable N")
                .list("register-values")) {
            int number = (int) each.number("number", -1);
            if (number >= 0 && number < names.size() && names.get(number) instanceof MiValue.Text(String name)) {
                Variable register = new Variable();
                register.setName(name);
                register.setValue(each.text("value"));
                register.setEvaluateName("$" + name);
                VariablePresentationHint hint = new VariablePresentationHint();
                hint.setKind("data");
                register.setPresentationHint(hint);
                shown.add(register);
            }
        }
        return shown;
    }
}
