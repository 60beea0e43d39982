#pragma once

#include <Rcpp.h>

// An R error of this class, whose message is what happened; the caller in R adds the argument's name.
[[noreturn]] inline void stop_with_class(const char* type, const std::string& message) {
  Rcpp::List condition = Rcpp::List::create(Rcpp::Named("message") = message, Rcpp::Named("call") = R_NilValue);
  condition.attr("class") = Rcpp::CharacterVector::create(type, "error", "condition");
  Rcpp::Function("stop", R_BaseEnv)(condition);
  throw std::logic_error("stop() returned");
}
