// RICCI_TEST_FORK: whether a test can fork, and its child start threads.
#pragma once
#if defined(__SANITIZE_THREAD__)  // ThreadSanitizer refuses threads after a fork
#define RICCI_TEST_FORK 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RICCI_TEST_FORK 0
#endif
#endif
#if !defined(RICCI_TEST_FORK) && __has_include(<sys/wait.h>)
#define RICCI_TEST_FORK 1
#include <sys/wait.h>
#include <unistd.h>
#endif
