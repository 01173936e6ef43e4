class ItemsController < ApplicationController
  SORTS = %w[name price].freeze

  def index
    sort = SORTS.include?(params[:sort]) ? params[:sort] : 'name'
    @items = Item.order("#{sort} desc")
  end
end
