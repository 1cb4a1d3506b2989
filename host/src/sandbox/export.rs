//! A function that a handler exports: found at upload, and held against the contract's types once.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use wasmtime::Store;
use wasmtime::component::{Component, ComponentExportIndex, ComponentNamedList, Instance, Lift, Lower, TypedFunc};

use super::contract;
use super::guest::Guest;

/// A function of the contract's, by what it takes and returns.
pub(super) trait Function {
    /// The interface that it is in.
    const INTERFACE: &'static str;
    /// Its name there.
    const NAME: &'static str;
    /// What it takes.
    type Params<'a>: ComponentNamedList + Lower + Send + Sync;
    /// What it returns.
    type Return: ComponentNamedList + Lift + Send + Sync + 'static;
}

/// A component's own of a function.
pub(super) struct Export<F> {
    index: ComponentExportIndex,
    /// Whether its types are known to be the contract's.
    fits: AtomicBool,
    function: PhantomData<fn(F)>,
}

impl<F: Function> Export<F> {
    /// Finds it, where the component exports its interface.
    pub(super) fn find(component: &Component) -> Option<Self> {
        let interface = component.get_export_index(None, contract::interface(F::INTERFACE).as_str())?;
        let index = component.get_export_index(Some(&interface), F::NAME)?;
        Some(Self { index, fits: AtomicBool::new(false), function: PhantomData })
    }

    /// The function of one instance of the component.
    ///
    /// # Errors
    ///
    /// When its types are not the contract's.
    pub(super) fn of<'a>(
        &self,
        instance: &Instance,
        store: &mut Store<Guest>,
    ) -> wasmtime::Result<TypedFunc<F::Params<'a>, F::Return>> {
        let found = instance.get_func(&mut *store, self.index);
        let function = found.ok_or_else(|| wasmtime::format_err!("the instance is not of the component"))?;
        // Nothing is published by this flag but itself.
        if self.fits.load(Ordering::Relaxed) {
            // SAFETY: an instance of this very component, for in no other is the index found, has passed the check below, and
            // a function's types are its component's.
            #[expect(
                unsafe_code,
                reason = "the contract's types are many, and comparing them takes a good part of a short run"
            )]
            return Ok(unsafe { TypedFunc::new_unchecked(function) });
        }
        let function = function.typed(&*store)?;
        self.fits.store(true, Ordering::Relaxed);
        Ok(function)
    }
}
