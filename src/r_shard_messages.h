#pragma once

#include <Rcpp.h>

#include "pnmf/shards/shard_messages.h"

// Requests and answers of shards as lists of numbers, which BiocParallel sends to other processes and back. Embeddings
// of border cells are raw vectors of numbers of single precision with an attribute "rank".
Rcpp::List wrap_request(const pnmf::ShardRequest& request);
pnmf::ShardRequest as_request(const Rcpp::List& request);
Rcpp::List wrap_answer(const pnmf::ShardAnswer& answer);
pnmf::ShardAnswer as_answer(const Rcpp::List& answer);
Rcpp::List wrap_borders(const pnmf::BorderMatrices& borders);
pnmf::BorderMatrices as_borders(const Rcpp::List& borders);
