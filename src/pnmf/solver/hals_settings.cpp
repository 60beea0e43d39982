#include "pnmf/solver/hals_settings.h"

#include <algorithm>

namespace pnmf {
namespace {

// Rounds over all embeddings per pass over the data.
constexpr int min_rounds = 4, max_rounds = 30;
// Flops of a pass over the data below which rounds over the embeddings are never rationed.
constexpr double small_pass = 2e7;

}  // namespace

// Cheap steps may take about as long as the data passes: W by p d^2 flops a round (at two thirds of the dense product's
// speed), H by n d^2 + (edges) d flops a round (at a tenth).
UpdateSettings hals_settings(const ProblemSize& size, Index rank, const FitOptions& options) {
  const double d = static_cast<double>(rank);
  const double pass = 4 * size.nonzeros * d;
  const double basis_round = 1.5 * 2 * size.features * d * d;
  const double embedding_round = 10 * (4 * size.cells * d * d + 4 * size.mean_edges * d);
  const auto within = [](double rounds, int lowest, int highest) {
    return static_cast<int>(std::min<double>(std::max<double>(rounds, lowest), highest));
  };
  UpdateSettings settings;
  settings.basis_rounds = within(pass / basis_round, std::min(3, options.max_inner), options.max_inner);
  settings.embedding_rounds = within(std::max(small_pass, pass) / embedding_round, min_rounds, max_rounds);
  return settings;
}

}  // namespace pnmf
