"""The administrator's page of the machine the house runs on."""
