class ItemsController < ApplicationController
  def show
    @query = params.to_unsafe_h.to_query
  end
end
