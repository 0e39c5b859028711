use super::super::Graph;

/// The connected components of a graph, and whether each is bipartite.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Components {
    /// For each vertex the number of its component. Components are numbered from 0 in the order
    /// of their least vertices.
    pub labels: Vec<u32>,
    /// How many components there are.
    pub count: usize,
    /// For each component whether it is bipartite.
    pub bipartite: Vec<bool>,
}

/// The connected components, found breadth first.
///
/// A component is bipartite if its vertices fall into two sides and every edge joins the two;
/// a self-loop prevents it.
pub fn components(graph: &Graph) -> Components {
    const UNSEEN: u32 = u32::MAX;
    let vertices = graph.vertices();
    let mut labels = vec![UNSEEN; vertices];
    let mut side = vec![false; vertices];
    let mut bipartite = Vec::new();
    let mut queue = Vec::new();
    for root in 0..vertices as u32 {
        if labels[root as usize] != UNSEEN {
            continue;
        }
        let label = bipartite.len() as u32;
        let mut two_sided = true;
        labels[root as usize] = label;
        queue.clear();
        queue.push(root);
        let mut head = 0;
        while let Some(&vertex) = queue.get(head) {
            head += 1;
            for &other in graph.neighbours(vertex) {
                if labels[other as usize] == UNSEEN {
                    labels[other as usize] = label;
                    side[other as usize] = !side[vertex as usize];
                    queue.push(other);
                } else if side[other as usize] == side[vertex as usize] {
                    two_sided = false;
                }
            }
        }
        bipartite.push(two_sided);
    }
    Components { labels, count: bipartite.len(), bipartite }
}

/// Whether every component is bipartite. A graph without edges is.
pub fn is_bipartite(graph: &Graph) -> bool {
    components(graph).is_bipartite()
}

impl Components {
    /// Whether every component is bipartite.
    pub fn is_bipartite(&self) -> bool {
        self.bipartite.iter().all(|&each| each)
    }

    /// Whether there is exactly one component.
    pub fn is_connected(&self) -> bool {
        self.count == 1
    }
}
