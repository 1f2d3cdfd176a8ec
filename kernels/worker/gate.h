// Timing on a stream: a gate that holds work back until all of it is queued, events, and the SM clock meanwhile.
#pragma once

#include "kernels/worker/fault.h"

#include <cstdint>

namespace tilewalk::gpu {

// Holds streams back while launches are queued on them, so that none of them waits for the processor. The streams may
// be of several GPUs: all go on at once.
class Gate {
 public:
  Gate();
  ~Gate();
  Gate(const Gate&) = delete;
  void close(cudaStream_t stream);  // of the current device
  // False where a stream had given up, after some 20 ms: it went on while launches were still being queued.
  bool open();

 private:
  int* state_ = nullptr;  // the GPUs read and write it where it is
};

struct ClockSample;  // where one multiprocessor's clock stands

// The SM clock of the current device between two moments of a stream: cycles that multiprocessors counted, over the
// time that went by.
class ClockMeter {
 public:
  ClockMeter();
  ~ClockMeter();
  ClockMeter(const ClockMeter&) = delete;
  void start(cudaStream_t stream);
  void stop(cudaStream_t stream);
  // Once the stream has come past stop(): MHz, the multiprocessors' median; 0 where none was met twice.
  double mhz() const;

 private:
  ClockSample* samples_ = nullptr;
};

// Of the device that is current when it is made.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "Making an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "Recording an event"); }
  void hold(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "Waiting for an event"); }
  cudaError_t state() const { return cudaEventQuery(event_); }
  double ms_since(const Event& start) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start.event_, event_), "Reading an event");
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace tilewalk::gpu
