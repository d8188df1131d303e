// Axes in another order.

export {};
