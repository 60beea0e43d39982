#include "pnmf/state/checkpoint.h"

#include <functional>
#include <limits>

#include "check.h"
#include "memory_bytes.h"
#include "pnmf/solver/hals.h"
#include "pnmf/solver/path_solver.h"
#include "random_data.h"

namespace {

using pnmf::CheckpointError;

const pnmf::RunLabels labels{{"x", "0123456789abcdef"}, {"rank", "2"}, {"empty", ""}};

// Keeps every state it is offered, as the bytes of a checkpoint.
struct Keeper : pnmf::Monitor {
  void on_state(const pnmf::FitStateView& state) override { states.push_back(written(labels, state)); }
  std::vector<std::string> states;
};

Problem small(unsigned seed, bool record, Index cells = 9) {
  Problem problem;
  Random random(seed);
  problem.X = random.sparse_matrix(12, cells, 0.6);
  add_scales(problem, 4);
  for (int t = 0; t < 4; ++t) {
    problem.start.Wt.push_back(random.matrix(3, 12));
    problem.start.H.push_back(random.matrix(3, cells));
  }
  problem.options.penalties = {1, 1, 0.1};
  problem.options.max_outer = 12;
  problem.options.max_inner = 5;
  problem.options.tol = 0;
  problem.options.record = record;
  return problem;
}

pnmf::FitResult fit(const Problem& problem, pnmf::FitState start, pnmf::Solver solver, pnmf::Monitor& monitor) {
  pnmf::SerialExecutor serial;
  const auto data = pnmf::dense_data(map_of(problem.X));
  return pnmf::fit_path(*data, problem.graphs(), std::move(start), solver, problem.options, serial, monitor);
}

void check_identical(const pnmf::FitResult& a, const pnmf::FitResult& b) {
  CHECK(a.objective == b.objective && a.residual == b.residual && a.steps == b.steps && a.converged == b.converged);
  CHECK(a.updates.size() == b.updates.size() && a.stopped == b.stopped);
  for (std::size_t k = 0; k < a.updates.size(); ++k) {
    CHECK(a.updates[k].objective == b.updates[k].objective && a.updates[k].outer == b.updates[k].outer &&
          a.updates[k].scale == b.updates[k].scale && a.updates[k].block == b.updates[k].block);
  }
  for (std::size_t t = 0; t < a.path.H.size(); ++t) {
    CHECK(same_bits(a.path.Wt[t], b.path.Wt[t]) && same_bits(a.path.H[t], b.path.H[t]));
  }
}

// A state with every part, or without embeddings, as the driver of shards has it.
pnmf::FitState example_state(bool embeddings = true) {
  Random random(3);
  pnmf::FitState state;
  pnmf::Progress& progress = state.progress;
  progress.record = {{3, 2, 1}, {0.1, 0.2}, {5, 6}, {0, 1}, {{1, 0, 'W', 2.5}, {1, 1, 'H', 2.25}}};
  progress.own = {0.5, 0.25};
  progress.momentum = {{0.5, 1, 0.25}, {0.4, 0.9, 0}};
  progress.windows = {2, 1.5, {{{0.1, 0.2}, 0.3}}, {{0.05, 0.1}, 0.2}, 2};
  for (int t = 0; t < 2; ++t) state.Wt.push_back(random.matrix(2, 3));
  for (int t = 0; embeddings && t < 2; ++t) state.held.H.push_back(random.matrix(2, 4));
  state.held.before = state.held.H;
  state.held.version = 7;
  return state;
}

std::string example(const pnmf::FitState& state) {
  return written(labels, {true, state.progress, state.Wt, state.held, 4});
}

void try_nonsense(const std::string& whole) {
  // Each 4 and 8 bytes in turn become the numbers most likely to be mishandled.
  for (std::size_t at = 8; at + 8 <= whole.size(); ++at) {
    for (std::uint64_t value : {std::uint64_t(0), ~std::uint64_t(0), std::uint64_t(1) << 31, std::uint64_t(1) << 61,
                                (std::uint64_t(1) << 32) + 1}) {
      for (std::size_t bytes : {4, 8}) {
        std::string other = whole;
        std::memcpy(&other[at], &value, bytes);
        try {
          const pnmf::Checkpoint found = read_bytes(resealed(other));
          CHECK(finite_nonnegative(found.state.Wt) && finite_nonnegative(found.state.held.H));
        } catch (const CheckpointError&) {
        }
      }
    }
  }
}

constexpr auto solvers = {pnmf::Solver::hals, pnmf::Solver::mu, pnmf::Solver::authors};

}  // namespace

TEST("checkpoint: a fit resumed after its start or any sweep is the uninterrupted one, bit for bit") {
  for (pnmf::Solver solver : solvers) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      Problem problem = small(seed, seed % 2 == 1);
      // Stops by itself in some cases, and hals rejects an extrapolation in some.
      if (seed >= 2) problem.options.tol = solver == pnmf::Solver::hals ? 0.1 : 1e-2;
      if (solver == pnmf::Solver::hals) problem.options.max_outer = 40;
      Keeper keeper;
      const pnmf::FitResult whole = fit(problem, problem.start, solver, keeper);
      CHECK(keeper.states.size() == whole.objective.size() + 2);
      for (const std::string& state : keeper.states) {
        pnmf::Monitor silent;
        check_identical(fit(problem, read_bytes(state).state, solver, silent), whole);
      }
    }
  }
}

TEST("checkpoint: a fit stopped by its monitor goes on where it was, and one with more sweeps as if it had them") {
  struct Stopper : Keeper {
    bool on_sweep(int sweep, double) override { return sweep < 3; }
  };
  for (pnmf::Solver solver : solvers) {
    Problem problem = small(7, false);
    pnmf::Monitor silent;
    const pnmf::FitResult whole = fit(problem, problem.start, solver, silent);
    Stopper stopper;
    const pnmf::FitResult part = fit(problem, problem.start, solver, stopper);
    CHECK(part.stopped && part.objective.size() == 3);
    for (char converged : part.converged) CHECK(!converged);
    check_identical(fit(problem, read_bytes(stopper.states.back()).state, solver, silent), whole);
    problem.options.max_outer = 5;
    Keeper keeper;
    fit(problem, problem.start, solver, keeper);
    problem.options.max_outer = 12;
    check_identical(fit(problem, read_bytes(keeper.states.back()).state, solver, silent), whole);
  }
}

TEST("checkpoint: a state of another solver is refused") {
  const Problem problem = small(1, false);
  for (pnmf::Solver solver : solvers) {
    Keeper keeper;
    fit(problem, problem.start, solver, keeper);
    const pnmf::Solver other = solver == pnmf::Solver::hals ? pnmf::Solver::mu : pnmf::Solver::hals;
    pnmf::Monitor silent;
    for (const std::string& state : keeper.states) {
      CHECK_THROWS(fit(problem, read_bytes(state).state, other, silent), CheckpointError);
    }
  }
}

TEST("checkpoint: what is written is read back") {
  for (bool embeddings : {false, true}) {
    const pnmf::FitState state = example_state(embeddings);
    const pnmf::Checkpoint found = read_bytes(example(state));
    CHECK(found.labels == labels);
    CHECK(found.shape.scales == 2 && found.shape.rank == 2 && found.shape.features == 3 && found.shape.cells == 4);
    const pnmf::Progress& progress = found.state.progress;
    CHECK(found.state.started && progress.record.objective == std::vector<double>({3, 2, 1}));
    CHECK(progress.record.steps == std::vector<int>({5, 6}) && progress.own == std::vector<double>({0.5, 0.25}));
    CHECK(progress.record.updates[1].block == 'H' && progress.record.updates[1].objective == 2.25);
    CHECK(progress.momentum[1].limit == 0.9 && progress.momentum[0].step == 0.25 && progress.by_scale.empty());
    CHECK(progress.windows.begin == 2 && progress.windows.last[0].movement == std::vector<double>({0.1, 0.2}));
    CHECK(progress.windows.prediction.decrease == 0.2 && progress.windows.predicted_after == 2);
    CHECK(found.state.held.version == 7 && found.state.held.H.size() == (embeddings ? 2u : 0u));
    for (int t = 0; t < 2; ++t) CHECK(same_bits(found.state.Wt[t], state.Wt[t]));
    for (int t = 0; embeddings && t < 2; ++t) CHECK(same_bits(found.state.held.before[t], state.held.H[t]));
    CHECK(found.state.held.snapshot.empty());
  }
}

TEST("checkpoint: one scale, factor, feature and cell are enough") {
  pnmf::FitState state;
  state.Wt.push_back(Matrix::Ones(1, 1));
  state.held.H.push_back(Matrix::Ones(1, 1));
  const pnmf::Checkpoint found = read_bytes(written(labels, {false, state.progress, state.Wt, state.held, 1}));
  CHECK(found.shape.scales == 1 && found.shape.cells == 1 && !found.state.started);
}

TEST("checkpoint: the state of a shard is read back, and is not a checkpoint") {
  const pnmf::HeldState held = example_state().held;
  MemorySink sink;
  pnmf::write_held(held, 9, sink);
  MemorySource source(sink.bytes);
  const pnmf::HeldState found = pnmf::read_held(source);
  CHECK(found.version == 9 && same_bits(found.H[1], held.H[1]) && found.before.size() == 2 && found.snapshot.empty());
  CHECK_THROWS(read_bytes(sink.bytes), CheckpointError);
  const std::string whole = example(example_state());
  MemorySource other(whole);
  CHECK_THROWS(pnmf::read_held(other), CheckpointError);
}

TEST("checkpoint: every truncation, every extension and every changed byte is found") {
  const std::string whole = example(example_state());
  for (std::size_t n = 0; n < whole.size(); ++n) CHECK_THROWS(read_bytes(whole.substr(0, n)), CheckpointError);
  CHECK_THROWS(read_bytes(whole + '\0'), CheckpointError);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit : {0, 7}) {
      std::string other = whole;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      CHECK_THROWS(read_bytes(other), CheckpointError);
    }
  }
}

TEST("checkpoint: sealed nonsense neither crashes nor takes more memory than the file") {
  for (bool embeddings : {false, true}) try_nonsense(example(example_state(embeddings)));
}

TEST("checkpoint: sizes that do not agree are refused") {
  const auto refused = [](const std::function<void(pnmf::FitState&)>& change) {
    pnmf::FitState state = example_state();
    change(state);
    CHECK_THROWS(read_bytes(example(state)), CheckpointError);
  };
  refused([](pnmf::FitState& state) { state.held.H.pop_back(); });
  refused([](pnmf::FitState& state) { state.held.before[1].resize(2, 3); });
  refused([](pnmf::FitState& state) { state.Wt[1].resize(3, 3); });
  refused([](pnmf::FitState& state) { state.progress.own.push_back(1); });
  refused([](pnmf::FitState& state) { state.progress.windows.last[0].movement.clear(); });
  refused([](pnmf::FitState& state) { state.progress.windows.prediction.movement.clear(); });
  refused([](pnmf::FitState& state) { state.progress.record.updates[0].scale = 2; });
}

TEST("checkpoint: factors that are negative or not finite are refused") {
  for (double value : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (auto part : {&pnmf::HeldState::H, &pnmf::HeldState::before}) {
      pnmf::FitState bad = example_state();
      (bad.held.*part)[0](1, 2) = value;
      CHECK_THROWS(read_bytes(example(bad)), CheckpointError);
    }
    pnmf::FitState bad = example_state();
    bad.Wt[1](0, 0) = value;
    CHECK_THROWS(read_bytes(example(bad)), CheckpointError);
  }
}

TEST("checkpoint: other byte orders, versions and files are told apart") {
  const auto complaint = [](const std::string& bytes) {
    try {
      read_bytes(bytes);
    } catch (const CheckpointError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string whole = example(example_state());
  std::string swapped = whole, newer = whole;
  std::reverse(swapped.begin() + 8, swapped.begin() + 12);
  newer[12] = 99;
  CHECK(complaint(swapped).find("byte order") != std::string::npos);
  CHECK(complaint(newer).find("format version 99") != std::string::npos);
  CHECK(complaint("RDX3\nA\n").find("not a checkpoint") != std::string::npos);
  CHECK(complaint(std::string(100, 'x')).find("not a checkpoint") != std::string::npos);
  CHECK(complaint(whole.substr(0, whole.size() - 9)).find("truncated") != std::string::npos);
  for (bool expected : {true, false}) {
    const std::string bytes = expected ? newer : std::string("RDX3\nA\n\n\n\n");
    MemorySource source(bytes);
    CHECK(pnmf::has_archive_magic(source) == expected);
  }
}

TEST("checkpoint: an error of the sink reaches the caller of the solver") {
  struct Full : pnmf::ByteSink {
    void write(const void*, std::size_t n) override {
      room -= static_cast<double>(n);
      if (room < 0) throw std::runtime_error("full");
    }
    double room = 5000;
  };
  struct Writing : pnmf::Monitor {
    void on_state(const pnmf::FitStateView& state) override { pnmf::write_checkpoint(labels, state, sink); }
    Full sink;
  };
  const Problem problem = small(2, false);
  for (pnmf::Solver solver : solvers) {
    Writing monitor;
    CHECK_THROWS(fit(problem, problem.start, solver, monitor), std::runtime_error);
  }
}

TEST("only the state at the end of a fit is offered as the last one") {
  struct Flags : pnmf::Monitor {
    bool wants_state(int, bool last) override {
      flags.push_back(last);
      return false;
    }
    void on_state(const pnmf::FitStateView&) override { throw std::logic_error("not wanted"); }
    std::vector<bool> flags;
  };
  for (auto solver : {pnmf::Solver::hals, pnmf::Solver::mu, pnmf::Solver::authors}) {
    Problem problem = small(3, false);
    problem.options.max_outer = 4;
    Flags monitor;
    fit(problem, problem.start, solver, monitor);
    // after the start and every sweep, and at the end
    CHECK(monitor.flags == std::vector<bool>({false, false, false, false, false, true}));
  }
}
