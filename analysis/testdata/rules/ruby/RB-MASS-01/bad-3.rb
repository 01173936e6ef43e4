class ItemsController < ApplicationController
  def show
    User.new(params.to_unsafe_h) # ← here
  end
end
