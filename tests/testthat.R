library(testthat)
library(pNMF)

test_check("pNMF")
