"""Plug-ins for frameworks, a module each; none is imported before it is asked for, as each needs its framework."""
