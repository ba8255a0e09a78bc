// Vector code; the values are known at the marked lines.
#include <immintrin.h>
#include <stdio.h>

__attribute__((noinline)) static float dot(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i < n; i += 8) {
        sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i)));
    }
    float parts[8];
    _mm256_storeu_ps(parts, sum);
    float total = 0;
    for (int i = 0; i < 8; i++) {
        total += parts[i];
    }
    return total;
}

__attribute__((noinline)) static void stop_here(void) {
    __asm__ volatile("" ::: "memory"); // mark: ymm-set
}

int main(void) {
    static float a[64], b[64];
    for (int i = 0; i < 64; i++) {
        a[i] = (float) i;
        b[i] = 2;
    }
    printf("dot %g\n", (double) dot(a, b, 64));
    static const int numbers[8] = {11, 22, 33, 44, 55, 66, 77, 88};
    __asm__ volatile("vmovdqu %0, %%ymm7" ::"m"(numbers) : "ymm7");
    stop_here();
    __asm__ volatile("vpxor %%ymm7, %%ymm7, %%ymm7" ::: "ymm7");
    stop_here(); // mark: ymm-clear
    printf("done\n");
    return 0;
}
