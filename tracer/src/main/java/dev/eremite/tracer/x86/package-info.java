/**
 * The x86-64 instruction format, as far as a tracer needs it: lengths, relocatable fields, memory operands and control
 * flow. Follows the Intel 64 Software Developer's Manual, volume 2, chapter 2 and appendix A. Pure Java.
 */
package dev.eremite.tracer.x86;
