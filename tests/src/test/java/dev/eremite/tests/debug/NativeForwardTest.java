package dev.eremite.tests.debug;

import dev.eremite.tests.mi.DebugSession.Backend;

/** The oracle: GDB itself gives the answers that are asked of a replay. */
class NativeForwardTest extends ForwardScenarios {
    @Override
    Backend backend() {
        return Backend.NATIVE;
    }
}
