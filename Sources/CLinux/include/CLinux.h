#ifndef RESTORED_CLINUX_H
#define RESTORED_CLINUX_H

/* The few calls of Linux that Swift's Glibc module does not import. */

#endif
