dacapo_guest::handlers! { gadgets: [one] }

dacapo_guest::handlers! { tools: [] }

dacapo_guest::handlers! {}

fn main() {}
