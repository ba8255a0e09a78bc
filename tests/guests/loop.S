// Counts in a register and writes a line after every million rounds; no libc.
        .globl _start, loop
        .text
_start: mov     $5, %r12d
again:  mov     $1000000, %ecx
loop:   add     %rcx, %rbx
        dec     %ecx
        jnz     loop
        mov     $1, %eax
        mov     $1, %edi
        lea     text(%rip), %rsi
        mov     $text_end - text, %edx
        syscall
        dec     %r12d
        jnz     again
        mov     %rbx, %rdi
        shr     $8, %rdi
        and     $63, %edi
        mov     $231, %eax
        syscall
        .section .rodata
text:   .ascii  "a million rounds\n"
text_end:
        .section .note.GNU-stack, "", @progbits
