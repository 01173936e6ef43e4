package hooks

import (
	"encoding/json"
	"net/http"
)

// Paystack sends a signature header.
func (h *Handler) PaystackWebhook(w http.ResponseWriter, r *http.Request) { // ← here
	var event Event
	if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	h.orders.MarkPaid(r.Context(), event.Data.Reference)
	w.WriteHeader(http.StatusOK)
}
