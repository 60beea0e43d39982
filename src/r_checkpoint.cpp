#include <Rcpp.h>

#include <cinttypes>
#include <cstdio>

#include "pnmf/base/digest.h"
#include "pnmf/state/atomic_file.h"
#include "pnmf/state/checkpoint.h"
#include "r_conditions.h"

namespace {

void add_number(pnmf::Digest& digest, std::uint64_t x) { digest.add(&x, sizeof(x)); }

// Type, length and content of a vector, so that no two different lists have the same bytes.
void add_vector(pnmf::Digest& digest, SEXP v) {
  add_number(digest, static_cast<std::uint64_t>(TYPEOF(v)));
  add_number(digest, static_cast<std::uint64_t>(Rf_xlength(v)));
  switch (TYPEOF(v)) {
    case NILSXP:
      return;
    case LGLSXP:
    case INTSXP:
      return digest.add(DATAPTR_RO(v), sizeof(int) * Rf_xlength(v));
    case REALSXP:
      return digest.add(DATAPTR_RO(v), sizeof(double) * Rf_xlength(v));
    case STRSXP:
      for (R_xlen_t k = 0; k < Rf_xlength(v); ++k) {
        const char* text = Rf_translateCharUTF8(STRING_ELT(v, k));
        add_number(digest, std::strlen(text));
        digest.add(text, std::strlen(text));
      }
      return;
    default:
      Rcpp::stop("no digest of type %s", Rf_type2char(TYPEOF(v)));
  }
}

Rcpp::CharacterVector wrap_labels(const pnmf::RunLabels& labels) {
  Rcpp::CharacterVector texts, names;
  for (const auto& label : labels) {
    names.push_back(label.first);
    texts.push_back(label.second);
  }
  texts.names() = names;
  return texts;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
std::string digest_cpp(Rcpp::List vectors) {
  pnmf::Digest digest;
  for (R_xlen_t k = 0; k < vectors.size(); ++k) add_vector(digest, vectors[k]);
  char text[17];
  std::snprintf(text, sizeof(text), "%016" PRIx64, digest.value());
  return text;
}

// Labels, sizes, state (for fit_path_cpp or fit_shards_cpp, which empty it) and the place of the states of its shards
// (-1: none); whether its start was made. An error of class "pnmf_unusable_checkpoint" says what is wrong with the file.
// [[Rcpp::export(rng = false)]]
Rcpp::List read_checkpoint_cpp(std::string file) {
  try {
    pnmf::FileSource source(file);
    pnmf::Checkpoint found = pnmf::read_checkpoint(source);
    const pnmf::CheckpointShape& shape = found.shape;
    const Rcpp::IntegerVector size =
        Rcpp::IntegerVector::create(Rcpp::Named("scales") = shape.scales, Rcpp::Named("rank") = shape.rank,
                                    Rcpp::Named("features") = shape.features, Rcpp::Named("cells") = shape.cells);
    const int place = found.state.held.place;
    const bool started = found.state.started;
    const Rcpp::CharacterVector labels = wrap_labels(found.labels);
    Rcpp::XPtr<pnmf::FitState> state(new pnmf::FitState(std::move(found.state)));
    return Rcpp::List::create(Rcpp::Named("labels") = labels, Rcpp::Named("size") = size, Rcpp::Named("state") = state,
                              Rcpp::Named("place") = place, Rcpp::Named("started") = started);
  } catch (const pnmf::CheckpointError& problem) {
    stop_with_class("pnmf_unusable_checkpoint", problem.what());
  }
}

// Tries to write under this name. An error of class "pnmf_unwritten_checkpoint" says why no checkpoint can be written.
// [[Rcpp::export(rng = false)]]
void try_checkpoint_cpp(std::string file, bool exists) {
  try {
    if (exists) {
      pnmf::FileSource source(file);
      if (!pnmf::has_archive_magic(source)) {
        throw pnmf::FileError("the file exists and is not a checkpoint of pnmf()");
      }
    }
    pnmf::AtomicFile part(file);
  } catch (const pnmf::CheckpointError& problem) {
    stop_with_class("pnmf_unwritten_checkpoint", std::string("the file ") + problem.what());
  } catch (const pnmf::FileError& problem) {
    stop_with_class("pnmf_unwritten_checkpoint", problem.what());
  }
}
