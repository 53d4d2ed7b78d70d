// Two functions of libdispatch by which another main loop runs the main queue. CoreFoundation's run loop uses them;
// libdispatch exports them and keeps them stable for it, but declares them in a private header.
// https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/private/private.h
#pragma once

// An eventfd that becomes readable when something waits on the main queue.
int _dispatch_get_main_queue_handle_4CF(void);

// Runs what waits on the main queue; to be called on the main thread.
void _dispatch_main_queue_callback_4CF(void *ignored);
