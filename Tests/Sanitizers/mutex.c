/* Tells ThreadSanitizer of the locks of Swift's Mutex.
 *
 * What happens without a wait is compiled into the program, where the sanitizer sees it. The rest is in Swift's own
 * library, which it does not see: whatever was guarded by a lock that somebody waited for would count as a race. Linked
 * into the program, these stand before those of the library and call them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *);
void __tsan_release(void *);

typedef SWIFT void (*Lock)(uint32_t thread, SELF);
typedef SWIFT bool (*TryLock)(SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void parley_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool parley_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void parley_unlock(SELF) __asm__(UNLOCK);

static Lock next_lock;
static TryLock next_try_lock;
static Unlock next_unlock;

/* Before main, so that no thread has to look for them. */
__attribute__((constructor)) static void find(void) {
    next_lock = (Lock)dlsym(RTLD_NEXT, LOCK);
    next_try_lock = (TryLock)dlsym(RTLD_NEXT, TRY_LOCK);
    next_unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void parley_lock(uint32_t thread, SELF) {
    next_lock(thread, self);
    __tsan_acquire(self);
}

SWIFT bool parley_try_lock(SELF) {
    bool has = next_try_lock(self);
    if (has) __tsan_acquire(self);
    return has;
}

SWIFT void parley_unlock(SELF) {
    __tsan_release(self);
    next_unlock(self);
}
