#include "r_shard_messages.h"

#include <cstring>

#include "r_convert.h"

namespace {

using Numbers = std::vector<double>;

Rcpp::List wrap_matrices(const std::vector<pnmf::Matrix>& matrices) {
  Rcpp::List list(matrices.size());
  for (std::size_t k = 0; k < matrices.size(); ++k) list[k] = wrap_matrix(matrices[k]);
  return list;
}

std::vector<pnmf::Matrix> as_matrices(const Rcpp::List& list) {
  std::vector<pnmf::Matrix> matrices;
  for (R_xlen_t k = 0; k < list.size(); ++k) {
    matrices.emplace_back(as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(list[k]))));
  }
  return matrices;
}

template <class T>
T part(const Rcpp::List& list, const char* name) {
  return Rcpp::as<T>(list[name]);
}

}  // namespace

Rcpp::List wrap_borders(const pnmf::BorderMatrices& borders) {
  Rcpp::List list(borders.size());
  for (std::size_t k = 0; k < borders.size(); ++k) {
    Rcpp::RawVector bytes(borders[k].size() * sizeof(float));
    if (bytes.size() > 0) std::memcpy(bytes.begin(), borders[k].data(), static_cast<std::size_t>(bytes.size()));
    bytes.attr("rank") = static_cast<int>(borders[k].rows());
    list[k] = bytes;
  }
  return list;
}

pnmf::BorderMatrices as_borders(const Rcpp::List& list) {
  pnmf::BorderMatrices borders;
  for (R_xlen_t k = 0; k < list.size(); ++k) {
    const Rcpp::RawVector bytes(static_cast<SEXP>(list[k]));
    const pnmf::Index rank = Rcpp::as<int>(bytes.attr("rank"));
    borders.emplace_back(rank, bytes.size() / static_cast<R_xlen_t>(sizeof(float)) / rank);
    if (bytes.size() > 0) std::memcpy(borders.back().data(), bytes.begin(), static_cast<std::size_t>(bytes.size()));
  }
  return borders;
}

Rcpp::List wrap_request(const pnmf::ShardRequest& request) {
  return Rcpp::List::create(Rcpp::Named("task") = static_cast<int>(request.task),
                            Rcpp::Named("version") = request.version,
                            Rcpp::Named("scales") = Rcpp::IntegerVector(request.scales.begin(), request.scales.end()),
                            Rcpp::Named("Wt") = wrap_matrices(request.Wt), Rcpp::Named("lead") = request.lead,
                            Rcpp::Named("next_lead") = request.next_lead, Rcpp::Named("rounds") = request.rounds,
                            Rcpp::Named("copy_finer") = request.copy_finer, Rcpp::Named("snapshot") = request.snapshot);
}

pnmf::ShardRequest as_request(const Rcpp::List& list) {
  pnmf::ShardRequest request;
  request.task = static_cast<pnmf::ShardTask>(part<int>(list, "task"));
  request.version = part<int>(list, "version");
  for (int t : part<Rcpp::IntegerVector>(list, "scales")) request.scales.push_back(t);
  request.Wt = as_matrices(list["Wt"]);
  request.lead = part<Numbers>(list, "lead");
  request.next_lead = part<Numbers>(list, "next_lead");
  request.rounds = part<int>(list, "rounds");
  request.copy_finer = part<bool>(list, "copy_finer");
  request.snapshot = part<bool>(list, "snapshot");
  return request;
}

Rcpp::List wrap_answer(const pnmf::ShardAnswer& answer) {
  return Rcpp::List::create(
      Rcpp::Named("XHt") = wrap_matrices(answer.XHt), Rcpp::Named("HHt") = wrap_matrices(answer.HHt),
      Rcpp::Named("border") = wrap_borders(answer.border), Rcpp::Named("before") = wrap_borders(answer.before),
      Rcpp::Named("own") = answer.own, Rcpp::Named("step") = answer.step, Rcpp::Named("moved") = answer.moved,
      Rcpp::Named("length") = answer.length, Rcpp::Named("residual") = answer.residual,
      Rcpp::Named("gain") = answer.gain, Rcpp::Named("squared_norm") = answer.squared_norm,
      Rcpp::Named("nonzeros") = answer.nonzeros);
}

pnmf::ShardAnswer as_answer(const Rcpp::List& list) {
  pnmf::ShardAnswer answer;
  answer.XHt = as_matrices(list["XHt"]);
  answer.HHt = as_matrices(list["HHt"]);
  answer.border = as_borders(list["border"]);
  answer.before = as_borders(list["before"]);
  answer.own = part<Numbers>(list, "own");
  answer.step = part<Numbers>(list, "step");
  answer.moved = part<Numbers>(list, "moved");
  answer.length = part<Numbers>(list, "length");
  answer.residual = part<Numbers>(list, "residual");
  answer.gain = part<double>(list, "gain");
  answer.squared_norm = part<double>(list, "squared_norm");
  answer.nonzeros = part<double>(list, "nonzeros");
  return answer;
}
