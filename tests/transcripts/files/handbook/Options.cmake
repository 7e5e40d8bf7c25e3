option(USE_PROF "Use the profiler of the toolkit" ON)
option(USE_TRACE "Write a trace of every launch" OFF)
