#ifndef RESTORED_CSQLITE_SHIM_H
#define RESTORED_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
