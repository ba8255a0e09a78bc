package dev.eremite.replay.probe;

import java.util.Random;

/** Random code in which every instruction shape that a probe can displace occurs, in slots of 512 bytes. */
final class RandomSnippets {
    static final int SLOT = 512;

    private static final String[] QUAD = {"rax", "rdx", "rbp", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};
    private static final String[] LONG = {"eax", "edx", "ebp", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
    private static final String[] POINTER = {"rbx", "rsi", "rdi", "r8"};
    private static final String[] CONDITION = {
        "o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"
    };
    private static final String[] ALU = {"add", "sub", "adc", "sbb", "and", "or", "xor", "cmp", "mov", "test"};
    private static final String[] SHIFT = {"shl", "shr", "sar", "rol", "ror", "rcl"};

    private final Random random;
    private final StringBuilder text = new StringBuilder();
    private int label;

    RandomSnippets(Random random) {
        this.random = random;
    }

    String source(int count) {
        for (int slot = 0; slot < count; slot++) {
            text.append(".balign ").append(SLOT).append(", 0xcc\n");
            text.append("slot").append(slot).append(":\n");
            for (int i = 0; i < 12; i++) {
                instruction(slot);
            }
            text.append("int3\n");
            text.append("f%d: lea 3(%%rax), %%rax\n mov (%%rsp), %%rdx\n ret\n".formatted(slot));
            text.append("g%d: xor 8(%%rsp), %%r9\n ret $0\n".formatted(slot));
            text.append("table%d: .quad f%d, g%d\n".formatted(slot, slot, slot));
            text.append(".balign 16\nwords%d: .quad %d, %d\n".formatted(slot, random.nextLong(), random.nextLong()));
        }
        return text.toString();
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    private String quad() {
        return "%" + pick(QUAD);
    }

    private String memory() {
        int displacement = random.nextBoolean() ? random.nextInt(64) : random.nextInt(256) - 128;
        return displacement + "(%" + pick(POINTER) + ")";
    }

    private void line(String format, Object... arguments) {
        text.append("    ").append(format.formatted(arguments)).append('\n');
    }

    private void instruction(int slot) {
        switch (random.nextInt(30)) {
            case 0, 1 -> line("%sq %s, %s", pick(ALU), quad(), quad());
            case 2 -> line("%sl %%%s, %s", pick(ALU), pick(LONG), memory());
            case 3 -> line("%sq $%d, %s", pick(ALU), random.nextInt(1 << random.nextInt(31)), quad());
            case 4 -> line("%sq $%d, %s", pick(SHIFT), 1 + random.nextInt(63), quad());
            case 5 -> line("movq words%d+%d(%%rip), %s", slot, random.nextInt(9), quad());
            case 6 -> line("%sq %s, words%d(%%rip)", pick(ALU), quad(), slot);
            case 7 -> line("leaq words%d(%%rip), %s", slot, quad());
            case 8, 9 -> forwardBranch();
            case 10 -> line("call %s%d", random.nextBoolean() ? "f" : "g", slot);
            case 11 -> line("call *table%d+%d(%%rip)", slot, 8 * random.nextInt(2));
            case 12 -> indirectCall(slot);
            case 13 -> countedForward();
            case 14 -> line("push %s\n    pop %s", quad(), quad());
            case 15 -> line("set%s %s", pick(CONDITION), memory());
            case 16 -> line("cmov%sq %s, %s", pick(CONDITION), memory(), quad());
            case 17 -> line("imulq $%d, %s, %s", random.nextInt(1000), quad(), quad());
            case 18 -> line("inc%s %s", random.nextBoolean() ? "b" : "q", memory());
            case 19 -> line("movq %s, %%xmm1\n    paddq words%d(%%rip), %%xmm1", quad(), slot);
            case 20 -> line("movdqu %s, %%xmm0\n    movdqu %%xmm0, %s", memory(), memory());
            case 21 -> line("movabsq $%d, %s", random.nextLong(), quad());
            case 22 -> line("nop");
            case 23 -> line("movl $%d, words%d+4(%%rip)", random.nextInt(), slot);
            case 24 -> line("cmpl $%d, words%d(%%rip)", random.nextInt(), slot);
            case 25 -> shortLoop();
            case 26 -> indirectJump();
            case 27 -> line("movzbl %s, %%%s", memory(), pick(LONG));
            case 28 -> line("lock xaddq %s, %s", quad(), memory());
            default -> line("movq %s, -%d(%%rsp)", quad(), 8 * (1 + random.nextInt(12)));
        }
    }

    private void forwardBranch() {
        int here = label++;
        line("j%s .L%d", pick(CONDITION), here);
        line("addq %s, %s", quad(), quad());
        if (random.nextBoolean()) {
            line("movq %s, %s", quad(), memory());
        }
        text.append(".L").append(here).append(":\n");
    }

    private void countedForward() {
        int here = label++;
        String[] kinds = {"loop", "loope", "loopne", "jrcxz", "jecxz", "jmp"};
        line("%s .L%d", pick(kinds), here);
        line("notq %s", quad());
        text.append(".L").append(here).append(":\n");
        line("movl $%d, %%ecx", 1 + random.nextInt(3));
    }

    private void shortLoop() {
        int here = label++;
        line("movl $%d, %%ecx", 1 + random.nextInt(5));
        text.append(".L").append(here).append(":\n");
        line("addq %s, %s", quad(), quad());
        if (random.nextBoolean()) {
            line("xorq %s, %s", quad(), memory());
        }
        if (random.nextBoolean()) {
            line("loop .L%d", here);
        } else {
            line("decl %%ecx\n    jnz .L%d", here);
        }
    }

    private void indirectCall(int slot) {
        String register = quad();
        line("leaq %s%d(%%rip), %s", random.nextBoolean() ? "f" : "g", slot, register);
        line("call *%s", register);
    }

    private void indirectJump() {
        int here = label++;
        line("leaq .L%d(%%rip), %%r11", here);
        line("jmp *%%r11");
        text.append(".L").append(here).append(":\n");
    }
}
