use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, Plan, Queue};
use evenhand_sim::{Control, Service};
fn main() {
    for (policy, service, n) in [("two-choice","exponential",1000),("two-choice","exponential",100), ("choices(2, distinct)","exponential",100), ("one-choice","exponential",100),("two-choice","hyperexponential(10)",10000),("two-choice","deterministic",10000),("two-choice","exponential",100000),("two-choice","exponential",1000000)] {
        let mut queue = Queue::new(PolicySpec::parse(policy).unwrap(), n, 0.9);
        queue.service = Service::parse(service).unwrap();
        let jobs = (20_000_000).max(30*n);
        let start = std::time::Instant::now();
        let o = queue.run(Engine::Lazy, &Plan::jobs(jobs, 20.0), 0, &Control::default()).unwrap();
        println!("{policy} {service} {n}: mean {:.4} wait {:.4} L/l {:.4} s {:?} util {:?} ns/job {:.1}", o.sojourn.mean(), o.waited(), o.queue_length/0.9, &o.at_least[..5.min(o.at_least.len())], o.utilisation, start.elapsed().as_secs_f64()*1e9/jobs as f64);
    }
}
