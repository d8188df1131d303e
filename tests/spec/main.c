/* Runs the specs natively: a line per spec, then the count. */
#include "spec.h"

#include <stdio.h>

int main(void) {
  int failed = 0;
  for (int i = 0; i < spec_count(); i++) {
    const char *complaint = spec_run(i);
    printf("%s %s%s%s\n", complaint ? "FAIL" : "ok  ", spec_name(i), complaint ? ": " : "",
           complaint ? complaint : "");
    fflush(stdout);
    failed += complaint != NULL;
  }
  printf("%d passed, %d failed\n", spec_count() - failed, failed);
  return failed > 0;
}
