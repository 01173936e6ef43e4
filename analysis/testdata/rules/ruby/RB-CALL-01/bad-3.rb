class ItemsController < ApplicationController
  def show
    @value = Object.const_get(params[:name]).new # ← here
  end
end
