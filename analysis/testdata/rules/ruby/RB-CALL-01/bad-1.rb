class ItemsController < ApplicationController
  def show
    klass = params[:type].classify.constantize # ← here
  end
end
