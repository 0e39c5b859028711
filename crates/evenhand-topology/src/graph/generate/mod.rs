//! Graphs made from parameters, chance or places. The parameters were checked.

pub(super) mod arithmetic;
pub(super) mod delaunay;
pub(super) mod gnp;
pub(super) mod knn;
pub(super) mod lps;
pub(super) mod regular;
pub(super) mod star;
