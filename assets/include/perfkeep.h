/*
 * Tells perfkeep how large the structure is that a function works on:
 *
 *   void insert(struct list *list, int value) {
 *     PERFKEEP_SIZE(list->count);
 *     ...
 *
 * It belongs to the innermost function around it that was built with -finstrument-functions; of several sizes the last one counts. Without
 * perfkeep it does nothing, and without -DPERFKEEP it is not even there. The function that it calls is a part of the C library.
 */
#ifndef PERFKEEP_H
#define PERFKEEP_H

#if defined(PERFKEEP) && defined(__linux__)
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    void __cyg_profile_func_enter(void *, void *);

#define PERFKEEP_SIZE(size) __cyg_profile_func_enter((void *)1, (void *)(unsigned long)(size))
#else
#define PERFKEEP_SIZE(size) ((void)0)
#endif

#endif
