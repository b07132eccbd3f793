-- Creates the database of a team, its owner, and one login for each person and for CI.
-- Execute it as an administrator, with passwords of your own.
CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'change-me';
CREATE DATABASE ledger OWNER owner;
CREATE ROLE op1 LOGIN PASSWORD 'change-me';
CREATE ROLE op2 LOGIN PASSWORD 'change-me';
CREATE ROLE ci LOGIN PASSWORD 'change-me';
