/* Prints what gf_self_test returns; with an argument, in a machine told to round upwards. */
#include "glassformer.h"

#include <fenv.h>
#include <stdio.h>

int main(int count, char **words) {
  (void)words;
  if (count > 1) fesetround(FE_UPWARD);
  gf_error error = gf_self_test();
  fesetround(FE_TONEAREST);
  printf("%d\n", (int)error);
}
