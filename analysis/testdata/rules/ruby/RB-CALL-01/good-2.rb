class ItemsController < ApplicationController
  EVENTS = %w[publish archive].freeze

  def update
    return head(:bad_request) unless EVENTS.include?(params[:event])

    Item.find(params[:id]).public_send(params[:event])
  end
end
