// The smallest guest: no libc, no loader, two system calls.
        .globl _start
        .text
_start: mov     $1, %eax
        mov     $1, %edi
        lea     text(%rip), %rsi
        mov     $text_end - text, %edx
        syscall
        mov     $231, %eax
        mov     $7, %edi
        syscall
        .section .rodata
text:   .ascii  "hello from assembly\n"
text_end:
        .section .note.GNU-stack, "", @progbits
