#ifndef GF_BENCH_MACHINE_H
#define GF_BENCH_MACHINE_H

/* Multiplies and adds in registers, so many turns; the operations that this is. */
float machine_peak(int turns);
double machine_peak_work(int turns);

/* Adds up `count` numbers, a multiple of 32, aligned to 16 bytes. */
float machine_read(const float *numbers, int count);

#endif
