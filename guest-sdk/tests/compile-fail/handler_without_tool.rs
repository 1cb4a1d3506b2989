struct NotATool;

dacapo_guest::handlers! { tools: [NotATool] }

fn main() {}
