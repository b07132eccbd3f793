/**
 * Every name that a request body or its query documents (INTERFACE 2 and 4), at any depth. An error
 * body may mirror the payload; other objects in it are no errors of fields.
 */
export const requestFields: ReadonlySet<string> = new Set(
  `
    account_roles account_type accounts administrative_area amount bill_period_from_date
    bill_period_to_date body building_or_property_name check_previously_added country
    created_at critical_load customer_at_supply_address_from_date customers
    delivery_point_identifier dependent_locality display_note document_path document_paths
    email email_address end_date external_account_number family_name flat_or_unit_number
    flat_or_unit_type force_add_to_current_statement given_name gross_amount house_number_1
    identifier import_supplier is_pinned issued_date landline line_items locality mobile
    name_type net_amount note notes number number_of_units outage_contact payment_type
    phone_1 phone_2 postal_address postal_code postal_delivery_number_value
    postal_delivery_type prefix price_per_unit product_code rate rate_band reason reference
    salutation service_type sorting_code start_date statement_id statement_path statements
    street_address street_name street_type structured_street_address substation suffix
    supply_point supply_type tax_items tax_type title transaction_date transaction_id
    transactions type unit_type units unpin_at value_taxed vendor
  `
    .trim()
    .split(/\s+/),
);
